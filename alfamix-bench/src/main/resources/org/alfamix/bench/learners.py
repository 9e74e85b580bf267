"""The PyTorch side of the benchmark, which runs the same tasks on request.

    learners.py MNIST_FOLDER THREADS DEVICE

Reads task names from standard input, one per line, and prints the seconds per step or for the whole pool. Tasks:
mlp, mlp-fused, resnet18, resnet18-fused, pool, pool-floats.
"""
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

folder, threads, device = sys.argv[1], int(sys.argv[2]), sys.argv[3]
torch.set_num_threads(threads)
torch.manual_seed(1)


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(784, 256)
        self.head = nn.Linear(256, 10)

    def forward(self, x):
        embedding = F.relu(self.hidden(x.flatten(1)))
        return embedding, self.head(embedding)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.shortcut = None
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)), inplace=True)
        y = self.bn2(self.conv2(y))
        y += x if self.shortcut is None else self.shortcut(x)
        return F.relu(y, inplace=True)


class ResNet18(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        widths = [64, 64, 128, 256, 512]
        self.blocks = nn.Sequential(*[
            Block(widths[s] if b == 0 else widths[s + 1], widths[s + 1], 2 if s > 0 and b == 0 else 1)
            for s in range(4) for b in range(2)])
        self.fc = nn.Linear(512, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x)), inplace=True), 3, 2, 1)
        embedding = self.blocks(x).mean((2, 3))
        return embedding, self.fc(embedding)


def train(make, inputs, epochs, fused):
    """Returns the seconds per training step: shuffled batches of 64, Adam, training accuracy."""
    model = make().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, fused=fused)
    inputs, labels = inputs.to(device), torch.randint(10, (len(inputs),)).to(device)
    steps, start = 0, time.perf_counter()
    for _ in range(epochs):
        order, right = torch.randperm(len(inputs)).to(device), 0
        for chosen in order.split(64):
            x, y = inputs[chosen], labels[chosen]
            optimizer.zero_grad()
            _, logits = model(x)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            optimizer.step()
            right += (logits.argmax(1) == y).sum().item()
            steps += 1
    return (time.perf_counter() - start) / steps


def pool(images, batch=1000):
    """Returns the seconds for the embeddings and logits of the whole pool, as arrays."""
    model = Mlp().eval().to(device)
    start = time.perf_counter()
    embeddings = np.empty((len(images), 256), np.float32)
    logits = np.empty((len(images), 10), np.float32)
    with torch.no_grad():
        for i in range(0, len(images), batch):
            x = images[i:i + batch].to(device)
            if x.dtype == torch.uint8:
                x = x.float().div_(255).sub_(0.1307).div_(0.3081)
            e, l = model(x)
            embeddings[i:i + batch] = e.cpu().numpy()
            logits[i:i + batch] = l.cpu().numpy()
    return time.perf_counter() - start


raw = np.fromfile(f'{folder}/train-images-idx3-ubyte', np.uint8)[16:].reshape(-1, 784)[:50000]
bytes_ = torch.from_numpy(raw.copy())
floats = bytes_.float().div_(255).sub_(0.1307).div_(0.3081)
photos = torch.randn(128, 3, 32, 32)
tasks = {
    'mlp': lambda: train(Mlp, floats[:2000], 10, False),
    'mlp-fused': lambda: train(Mlp, floats[:2000], 10, True),
    'resnet18': lambda: train(ResNet18, photos, 3, False),
    'resnet18-fused': lambda: train(ResNet18, photos, 3, True),
    'pool': lambda: pool(bytes_),
    'pool-floats': lambda: pool(floats),
}
print(torch.__version__, flush=True)
for line in sys.stdin:
    print(tasks[line.strip()](), flush=True)

package org.alfamix.strategy;

/**
 * A selected item.
 *
 * @param item its row in the pool
 * @param score the score that the strategy ranked it by; its meaning depends on the strategy
 * @param cluster the cluster it represents, or −1 if the strategy does not cluster
 * @param predicted its predicted class, or −1 if the snapshot cannot predict
 * @param reason why the item was selected, in one sentence
 */
public record Pick(int item, double score, int cluster, int predicted, String reason) {}

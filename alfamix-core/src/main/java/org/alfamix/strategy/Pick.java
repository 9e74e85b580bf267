package org.alfamix.strategy;

/**
 * One chosen item.
 *
 * @param item its row in the pool
 * @param score what the method ranked it by; see the method for its meaning
 * @param cluster the cluster it stands for, or −1 where the method does not cluster
 * @param predicted its predicted class, or −1 where the snapshot cannot predict
 * @param reason why it was chosen, in a sentence a person understands
 */
public record Pick(int item, double score, int cluster, int predicted, String reason) {}

package org.alfamix.studio.store;

import java.time.Instant;

/**
 * Something to label.
 *
 * @param id what the store knows it by
 * @param name what people know it by, unique
 * @param source where its items come from, as JSON
 * @param options features, method, budget and so on, as JSON
 */
public record Project(long id, String name, String source, String options, Instant created) {}

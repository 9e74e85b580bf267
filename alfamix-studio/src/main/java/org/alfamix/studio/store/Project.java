package org.alfamix.studio.store;

import java.time.Instant;

/**
 * A labelling project.
 *
 * @param id its key in the store
 * @param name its unique name
 * @param source the source of its items, as JSON
 * @param options features, method, budget and so on, as JSON
 */
public record Project(long id, String name, String source, String options, Instant created) {}

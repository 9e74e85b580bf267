/**
 * Exceptions for errors that the user can correct, in a request or in data. A plain {@link
 * IllegalArgumentException} indicates a bug in the calling code.
 *
 * <pre>{@code
 * try {
 *   Strategies.create("margin", Map.of("threshold", "1"));
 * } catch (InvalidRequestException e) {
 *   System.err.println(e.getMessage()); // Strategy 'margin' has no options, got 'threshold'.
 * }
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.error;

/**
 * Exceptions for errors that the user can correct, in a request or in data. A plain {@link
 * IllegalArgumentException} indicates a bug in the calling code.
 */
package org.alfamix.error;

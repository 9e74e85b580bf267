/**
 * Exceptions with parts. A plain {@link IllegalArgumentException} is a bug in the calling code; the
 * types here report a request or data that a person can correct.
 */
package org.alfamix.error;

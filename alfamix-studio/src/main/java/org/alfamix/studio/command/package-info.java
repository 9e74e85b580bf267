/** {@code alfamix studio}, one class per command. */
package org.alfamix.studio.command;

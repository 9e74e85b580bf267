/** Shared test code of several modules. */
package org.alfamix.testing;

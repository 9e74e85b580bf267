/** Code that tests of several modules share. */
package org.alfamix.testing;

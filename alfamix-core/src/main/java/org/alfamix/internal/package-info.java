/** Code that several packages of this module share; not exported. */
package org.alfamix.internal;

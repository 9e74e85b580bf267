/** The built-in networks, one file each. */
package org.alfamix.torch.network;

/** Internal: adversarial perturbations (DeepFool). */
package org.alfamix.attack;

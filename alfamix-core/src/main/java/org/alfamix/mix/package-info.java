/**
 * The effect of mixing features on predictions: which items flip, and by how much they must be
 * mixed. Selections of {@code alfamix} contain the candidates.
 *
 * <pre>{@code
 * MixDiagnostics mixing = MixDiagnostics.of(selection).orElseThrow();
 * Flip flip = mixing.candidates().flip(0);
 * System.out.println(flip.predicted() + " flips to " + flip.flipsTo() + " at a cap of " + flip.cap());
 * }</pre>
 *
 * @since 0.1
 */
package org.alfamix.mix;

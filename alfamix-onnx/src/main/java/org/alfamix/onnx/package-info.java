/** Backbones in ONNX files, executed by ONNX Runtime. */
package org.alfamix.onnx;

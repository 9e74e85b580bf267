/** Backbones that come as ONNX files, computed by ONNX Runtime. */
package org.alfamix.onnx;

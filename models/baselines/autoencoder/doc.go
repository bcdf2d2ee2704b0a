// Package autoencoder trains autoencoders, from which the baselines LSR and AMA3 learn in place of
// stage 1.
//
// The main type is Settings: a backbone, a Latent, which says what the outputs of the encoder
// become, on which pairs of images to train and which losses there are beside the reconstruction,
// and a Decoder, which reconstructs the image. Data flows like this:
//
//	dataset.Dataset -> Train(Settings) -> Learned -> Export, ExportDecoder -> ONNX
//	Learned.Effects(codes of images) -> what each action does to each bit (CubeSpace)
//
// Continuous is the latent space of LSR, CubeSpace that of LatPlan-AMA3. A new kind is a type that
// implements Latent, in a file of its own, and a line in the table of autoencoder_test.go, which
// checks gradients, reconstructions and determinism. Training uses the engines of models/networks:
// 2,700 images a second on one core, 64x64, with the encoder of preset small.
package autoencoder

"""A visual source on an axis of its own: the Describable Textures Dataset, one folder a texture.

After `pip install`, `forgetscope visual split textures-random-5 --root DTD/images --out splits` draws its split.
"""

from forgetscope.benchmarks.visual import sources

TEXTURE = sources.Axis("texture", sources.Level.ATTRIBUTE, "What texture is shown in the image?")
SIZES = sources.SplitSizes(test_per_concept=50, train_per_concept=50)
TEXTURES = sources.PictureSource(
    name="textures",
    title="Describable Textures Dataset",
    axes=(TEXTURE,),
    licence="for research",
    where="https://www.robots.ox.ac.uk/~vgg/data/dtd/",
    layout="one folder a texture (banded, dotted, ...) with *.jpg",
    read=sources.read_class_folders,
    splits=(sources.SplitRequest("textures-random-5", "textures", "texture", "random_k", SIZES, k=5),),
)

"""The bars of the paper's Figures 3(a) and 3(c) in percent, computed by hand from Appendix A."""

FIVE = ("baseline_normal", "unlearn_soft", "unlearn_medium", "oracle_hard", "oracle_reverse")
FIGURE_3A = {
    "COCO": (85.3, 85.5, 85.4, 64.7, 64.3),
    "MIT Indoor67": (76.9, 79.1, 78.3, 62.0, 64.4),
    "AID": (58.0, 56.1, 57.9, 51.9, 37.9),
    "LAD-Color": (41.0, 37.2, 35.4, 40.3, 39.4),
    "LAD-Habitat": (42.3, 33.1, 36.1, 39.6, 36.4),
    "SpatialMQA": (28.7, 23.1, 24.9, 28.0, 30.0),
    "Celebrity": (63.5, 64.9, 64.7, 45.5, 52.0),
    "Logo2K+": (70.3, 76.5, 74.0, 60.5, 61.2),
}
FIGURE_3C = {
    "object": (85.3, 85.5, 85.4, 64.7, 64.3),
    "scene": (67.5, 67.6, 68.1, 57.0, 51.2),
    "attribute": (37.3, 31.1, 32.1, 36.0, 35.2),
    "privacy": (66.9, 70.7, 69.3, 53.0, 56.6),
}

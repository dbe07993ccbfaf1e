/** What the drawing process and the code that starts it share. */

/** Pixels: the largest side of a preview, which is the most that a window of the panel shows. */
export const LONGEST_SIDE = 1600
/** Larger pictures are not decoded; phones take pictures of up to 50 million pixels. */
export const MAX_PICTURE_PIXELS = 50_000_000
/** Exit code for bytes that are not a picture that can be shown. */
export const UNREADABLE = 3

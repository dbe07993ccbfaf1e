/** What the process that draws previews and the one that starts it agree on. */

/** Of a preview, pixels: what a window of a panel shows. */
export const LONGEST_SIDE = 1600
/** Of what is decoded at all: pictures of phones have up to 50 million. */
export const MAX_PICTURE_PIXELS = 50_000_000
/** The exit code when the bytes are no picture that can be shown. */
export const UNREADABLE = 3

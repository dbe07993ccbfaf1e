/** Every character that some reader takes for a line end, and the null character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
const LINE_ENDS = /[\0\n-\r\x1c-\x1e\x85\u2028\u2029]+/g

/** The text on one line: each run of line ends becomes a space. */
export const oneLine = (text: string): string => text.replaceAll(LINE_ENDS, ' ')

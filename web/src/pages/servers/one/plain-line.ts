const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A line of output without colours and other control sequences. */
export const plainLine = (line: string): string => line.replace(SEQUENCES, '')

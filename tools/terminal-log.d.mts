/** Takes the lines of a program's log: a file in `folder` keeps them, and `tell` shows sentences. */
export function terminalLog(
  name: string,
  folder: string,
  tell?: (sentence: string) => void,
): (line: string) => void

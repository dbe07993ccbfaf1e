/** One program in one file, below `dist` where its source is below the repository. */
export function bundleProgram(dist: string, program: string): Promise<void>

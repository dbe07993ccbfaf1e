/**
 * The agent as the files that a new node downloads, in `folder` where their sources are below the
 * repository, and for each architecture the list of them with their SHA-256.
 */
export function bundleAgent(folder: string): Promise<void>

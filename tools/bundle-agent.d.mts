/**
 * Bundles the agent as the files that a new node downloads, into `folder` in the layout of the
 * repository, with a list of their SHA-256 for each architecture.
 */
export function bundleAgent(folder: string): Promise<void>

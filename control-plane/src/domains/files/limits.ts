/** No disk of a server is larger; the node decides what fits. */
export const MAX_FILE_BYTES = 16 * 1024 ** 4

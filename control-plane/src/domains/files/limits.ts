/** No disk of a server is larger; what fits is the node's to decide. */
export const MAX_FILE_BYTES = 16 * 1024 ** 4

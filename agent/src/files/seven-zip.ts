/**
 * What 7z archives are read with, where Debian's `libarchive-tools` puts it. The sandbox of a helper
 * contains these programs; a helper reads no 7z archive where they are missing.
 */
export const CONVERTER = '/usr/bin/bsdtar'
export const LIMITER = '/usr/bin/prlimit'
/** The locale in which names of every script are converted. */
export const LOCALE = { name: 'C.UTF-8', folder: '/usr/lib/locale/C.utf8' } as const

/** The Debian packages that each task needs. */
export const needs: Readonly<Record<'agent' | 'start' | 'test', readonly string[]>>
/** The program or file that shows that a package is installed. */
export function evidenceOf(name: string): string

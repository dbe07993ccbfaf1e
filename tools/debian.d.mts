/** What each task needs of the system, as Debian packages. */
export const needs: Readonly<Record<'agent' | 'start' | 'test', readonly string[]>>
/** The program or file that shows that a package is installed. */
export function evidenceOf(name: string): string

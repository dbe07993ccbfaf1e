/** The files that most pages share (vite.config.ts says what is in them). */
const SHARED: readonly string[] = ['common', 'start', 'inside', 'rolldown-runtime']

/**
 * The name of a file of code. The panel's first code lists all others, and names that say nothing to
 * anybody would be a tenth of it, so only those by which people find something have a name.
 */
export const fileName = ({ name, isDynamicEntry }: Named): string =>
  isDynamicEntry || SHARED.includes(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'

interface Named {
  readonly name: string
  readonly isDynamicEntry: boolean
}

const ALWAYS = new RegExp(`^assets/(${SHARED.join('|')})-`)

/** Whether index.html loads this file, with the panel or as soon as it knows of a session. */
export const isAlwaysLoaded = (file: string): boolean => ALWAYS.test(file)

import Search from 'lucide-react/icons/search'
import { openPalette } from '../ui/dialogs/palette/palette-store.ts'
import styles from './shell.module.css'
import { t } from './words.ts'

export function PaletteButton() {
  return (
    <button type="button" className={styles.palette} onClick={openPalette}>
      <Search aria-hidden />
      <span>{t.palette}</span>
      <kbd className={styles.kbd}>{t.paletteKeys}</kbd>
    </button>
  )
}

import styles from './name-button.module.css'

/** The name of a row that opens in a dialog. */
export const NameButton = ({ name, onOpen }: { name: string; onOpen: () => void }) => (
  <button type="button" className={styles.name} data-opens onClick={onOpen}>
    {name}
  </button>
)

import X from 'lucide-react/icons/x'
import { Button } from '../../ui/buttons/button.tsx'
import { Text } from '../../ui/page/layout.tsx'
import styles from './suspensions.module.css'
import { t } from './words.ts'

/** A file that goes with the message, and the way to leave it out. */
export function ChosenFile({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <Button
      size="small"
      icon={<X />}
      className={styles.chosen}
      aria-label={t.removeFile({ name })}
      onClick={onRemove}
    >
      <Text clip title={name}>
        {name}
      </Text>
    </Button>
  )
}

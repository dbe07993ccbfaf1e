import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { at } from './draft.ts'
import styles from './editor.module.css'
import { useDraft } from './use-draft.ts'
import { t } from './words.ts'

const PATH = ['runtime', 'environment'] as const

/** An unused name, for a new row. */
function freeName(taken: readonly string[]): string {
  let count = 1
  while (taken.includes(`NAME_${count}`)) count++
  return `NAME_${count}`
}

/** Fixed variables of the environment: names and values. */
export function EnvironmentRows() {
  const { draft, set, faultAt, disabled } = useDraft()
  const found = at(draft, PATH)
  const entries = Object.entries(typeof found === 'object' && found !== null ? found : {})
  const write = (next: readonly (readonly [string, unknown])[]): void =>
    set(PATH, next.length === 0 ? undefined : Object.fromEntries(next))
  return (
    <div className={styles.rows}>
      <h3>{t.environment}</h3>
      {entries.map(([name, value], index) => (
        <fieldset
          key={index}
          className={styles.row}
          aria-label={t.row({ kind: 'environment', number: index + 1 })}
        >
          <div className={styles.fields}>
            <TextField
              label={t.name}
              mono
              disabled={disabled}
              value={name}
              error={faultAt([...PATH, name])}
              onChange={(next) => {
                // A duplicate name would merge two rows while it is being typed.
                if (!entries.some(([other]) => other === next))
                  write(entries.with(index, [next, value]))
              }}
            />
            <TextField
              label={t.value}
              mono
              disabled={disabled}
              value={String(value)}
              onChange={(next) => write(entries.with(index, [name, next]))}
            />
          </div>
          <div className={styles.tools}>
            <IconButton
              size="small"
              label={t.removeRow({ kind: 'environment', number: index + 1 })}
              onClick={() => write(entries.toSpliced(index, 1))}
            >
              <Trash2 />
            </IconButton>
          </div>
        </fieldset>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={disabled ? t.mendSource : undefined}
          onClick={() => write([...entries, [freeName(entries.map(([name]) => name)), '']])}
        >
          {t.addRow({ kind: 'environment' })}
        </Button>
      </div>
    </div>
  )
}

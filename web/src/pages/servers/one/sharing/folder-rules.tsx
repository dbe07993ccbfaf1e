import type { FileAccess, FileRules } from '@lodge/shared/file-rules.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Row, Text } from '../../../../ui/page/layout.tsx'
import styles from './sharing.module.css'
import { t } from './words.ts'

const MOST_RULES = 50

const choices = () => [
  { value: 'none', label: t.noAccess },
  { value: 'read', label: t.readOnly },
  { value: 'write', label: t.asPermitted },
]

interface FolderRulesProps {
  value: FileRules
  /** @param pointer the field whose error is cleared */
  onChange: (value: FileRules, pointer?: string) => void
  errors: Readonly<Record<string, string>>
}

/** The folders in which file permissions apply; the longest matching folder decides. */
export function FolderRules({ value, onChange, errors }: FolderRulesProps) {
  const change = (at: number, next: Partial<FileRules[number]>): void =>
    onChange(
      value.map((rule, index) => (index === at ? { ...rule, ...next } : rule)),
      `files/${at}/path`,
    )
  // An error about the whole list, such as a duplicate folder, is shown at the last one.
  const errorAt = (at: number): string | undefined =>
    errors[`files/${at}/path`] ?? (at === value.length - 1 ? errors.files : undefined)
  return (
    <fieldset className={styles.area}>
      <legend>{t.folders}</legend>
      <Text small muted>
        {t.foldersText}
      </Text>
      {value.map(({ path, access }, at) => (
        <div key={at} className={styles.rule}>
          <TextField
            label={t.folderNumber({ number: at + 1 })}
            bare
            value={path}
            placeholder={t.exampleFolder}
            error={errorAt(at)}
            onChange={(next) => change(at, { path: next })}
          />
          <SelectField
            label={t.accessTo({ folder: path })}
            bare
            choices={choices()}
            value={access}
            onChange={(next) => change(at, { access: next as FileAccess })}
          />
          <IconButton
            label={t.removeFolder({ folder: path })}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            <Trash2 />
          </IconButton>
        </div>
      ))}
      <Row>
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={value.length < MOST_RULES ? undefined : t.enoughFolders}
          onClick={() => onChange([...value, { path: '', access: 'none' }])}
        >
          {t.addFolder}
        </Button>
      </Row>
    </fieldset>
  )
}

/** Rules as sent: normalises leading and trailing slashes of typed paths. */
export const sentRules = (rules: FileRules): FileRules =>
  rules.map(({ path, access }) => ({ path: folderOf(path.trim()), access }))

const folderOf = (typed: string): string =>
  typed === '' ? '' : `/${typed.replace(/^\/+|\/+$/g, '')}`

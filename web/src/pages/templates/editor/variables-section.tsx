import { formatRules, parseRules } from '@lodge/shared/templates/rules/parse-rules.ts'
import type { Rule } from '@lodge/shared/templates/rules/rule.ts'
import { useState } from 'react'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { listAt, type Path } from './draft.ts'
import { DraftRows, DraftSwitch, DraftText } from './draft-fields.tsx'
import styles from './editor.module.css'
import { useDraft, useUnread } from './use-draft.ts'
import { t } from './words.ts'

/** The variables that can be set on each server. */
export const VariablesSection = () => (
  <Card title={t.variables}>
    <DraftRows
      path={['variables']}
      noun="variable"
      ordered
      none={t.noVariables}
      fresh={() => ({ name: '', env: '', default: '', rules: [] })}
    >
      {(path) => <VariableFields path={path} />}
    </DraftRows>
  </Card>
)

const VariableFields = ({ path }: { path: Path }) => (
  <>
    <DraftText path={[...path, 'name']} label={t.variableLabel} keep />
    <DraftText
      path={[...path, 'env']}
      label={t.variable}
      placeholder={t.variableExample}
      mono
      keep
    />
    <DraftText path={[...path, 'default']} label={t.default} mono keep />
    <div className={styles.wide}>
      <DraftText path={[...path, 'description']} label={t.description} />
    </div>
    <div className={styles.wide}>
      <RulesField path={[...path, 'rules']} />
    </div>
    <DraftSwitch path={[...path, 'userViewable']} label={t.customersSee} usual={true} />
    <DraftSwitch path={[...path, 'userEditable']} label={t.customersChange} usual={true} />
    <DraftSwitch path={[...path, 'secret']} label={t.secret} usual={false} />
  </>
)

/**
 * The document's rules as text; rules that cannot be written as text are left alone until somebody
 * types.
 */
function written(rules: readonly unknown[]): string {
  try {
    return formatRules(rules as readonly Rule[]).join('|')
  } catch {
    return ''
  }
}

/** Rules of a value on one line: `required|integer|between:1,200`. */
function RulesField({ path }: { path: Path }) {
  const { draft, set, faultAt, disabled } = useDraft()
  const [unread, setUnread] = useUnread(path)
  const [typed, setTyped] = useState<{ text: string; made: string; warning?: string | undefined }>()
  const rules = listAt(draft, path)
  const now = JSON.stringify(rules)
  // Unreadable text is discarded with the other changes.
  const isCurrent = typed?.made === now && unread === (typed.warning !== undefined)
  const current = isCurrent ? typed : undefined
  const first = rules.flatMap((_, at) => faultAt([...path, at]) ?? [])[0]
  return (
    <TextField
      label={t.rules}
      mono
      description={t.rulesHelp({
        example: 'required|integer|between:1,200|in:easy,hard|max:80|regex:/^[a-z]+$/',
      })}
      disabled={disabled}
      value={current?.text ?? written(rules)}
      error={current?.warning ?? faultAt(path) ?? first}
      onChange={(text) => {
        const parsed = parseRules(text.trim())
        const [warning] = parsed.warnings
        setTyped({ text, made: JSON.stringify(parsed.rules), warning })
        setUnread(warning !== undefined)
        set(path, parsed.rules)
      }}
    />
  )
}

import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { CodeEditor } from '../../../ui/form/code-editor.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { at, type Path, textAt } from './draft.ts'
import { DraftNumber, DraftWords } from './draft-fields.tsx'
import styles from './editor.module.css'
import { SourceFields } from './runtime-sections.tsx'
import { useDraft } from './use-draft.ts'
import { t } from './words.ts'

const INSTALL: Path = ['runtime', 'install']
const SCRIPT: Path = [...INSTALL, 'script']

const FRESH = {
  image: { kind: 'debian', suite: 'bookworm', packages: ['ca-certificates', 'curl'] },
  interpreter: ['/bin/sh'],
  script: '#!/bin/sh\nset -eu\ncd /mnt/server\n',
}

/** The script that fills the data folder before the first start. */
export function InstallSection() {
  const { draft, set, faultAt, disabled } = useDraft()
  const isThere = at(draft, INSTALL) !== undefined
  const fault = faultAt(SCRIPT) ?? faultAt(INSTALL)
  return (
    <Card title={t.installation}>
      <div className={styles.section}>
        <SwitchField
          label={t.runsScript}
          disabled={disabled}
          value={isThere}
          onChange={(on) => set(INSTALL, on ? FRESH : undefined)}
        />
        {isThere ? (
          <>
            <FieldGrid least={150}>
              <SourceFields path={[...INSTALL, 'image']} />
              <DraftWords path={[...INSTALL, 'interpreter']} label={t.interpreter} mono />
              <DraftNumber
                path={[...INSTALL, 'timeoutSeconds']}
                label={t.timeout}
                placeholder="1800"
              />
            </FieldGrid>
            <CodeEditor
              placeholderLines={8}
              label={t.script}
              language="shell"
              low
              readOnly={disabled}
              value={textAt(draft, SCRIPT)}
              onChange={(text) => set(SCRIPT, text)}
            />
            {fault === undefined ? null : (
              <p className={styles.fault} role="alert">
                {fault}
              </p>
            )}
          </>
        ) : null}
      </div>
    </Card>
  )
}

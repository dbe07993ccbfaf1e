import { CONFIG_PARSERS } from '@lodge/shared/container-spec.ts'
import { Card } from '../../../ui/page/card.tsx'
import { DraftLines, DraftRows, DraftSelect, DraftText } from './draft-fields.tsx'
import styles from './editor.module.css'

const PARSERS = CONFIG_PARSERS.map((value) => ({
  value,
  label: value === 'file' ? 'Text, line by line' : value,
}))

/** What is written into configuration files before each start, and which files customers cannot open. */
export const FilesSection = () => (
  <Card title="Files">
    <div className={styles.section}>
      <DraftRows
        path={['runtime', 'configFiles']}
        noun="configuration file"
        none="No configuration file is changed before a start."
        fresh={() => ({ path: '', parser: 'properties', edits: [] })}
      >
        {(path) => (
          <>
            <DraftText path={[...path, 'path']} label="File" mono keep />
            <DraftSelect path={[...path, 'parser']} label="Format" choices={PARSERS} />
            <div className={styles.wide}>
              <DraftRows
                path={[...path, 'edits']}
                noun="value"
                fresh={() => ({ match: '', value: '' })}
              >
                {(edit) => (
                  <>
                    <DraftText path={[...edit, 'match']} label="Key" mono keep />
                    <DraftText path={[...edit, 'value']} label="Value" mono keep />
                  </>
                )}
              </DraftRows>
            </div>
          </>
        )}
      </DraftRows>
      <DraftLines
        path={['fileDenylist']}
        label="Files that customers cannot open"
        description="One pattern a line"
        rows={3}
        mono
      />
    </div>
  </Card>
)

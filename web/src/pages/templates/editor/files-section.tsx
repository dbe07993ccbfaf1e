import { CONFIG_PARSERS } from '@lodge/shared/container-spec.ts'
import { Card } from '../../../ui/page/card.tsx'
import { DraftLines, DraftRows, DraftSelect, DraftText } from './draft-fields.tsx'
import styles from './editor.module.css'
import { t } from './words.ts'

const parsers = () =>
  CONFIG_PARSERS.map((value) => ({ value, label: value === 'file' ? t.lineByLine : value }))

/**
 * Configuration files that are written before each start, and files that customers cannot open or
 * backups leave out.
 */
export const FilesSection = () => (
  <Card title={t.files}>
    <div className={styles.section}>
      <DraftRows
        path={['runtime', 'configFiles']}
        noun="file"
        none={t.noFiles}
        fresh={() => ({ path: '', parser: 'properties', edits: [] })}
      >
        {(path) => (
          <>
            <DraftText path={[...path, 'path']} label={t.file} mono keep />
            <DraftSelect path={[...path, 'parser']} label={t.format} choices={parsers()} />
            <div className={styles.wide}>
              <DraftRows
                path={[...path, 'edits']}
                noun="value"
                fresh={() => ({ match: '', value: '' })}
              >
                {(edit) => (
                  <>
                    <DraftText path={[...edit, 'match']} label={t.key} mono keep />
                    <DraftText path={[...edit, 'value']} label={t.value} mono keep />
                  </>
                )}
              </DraftRows>
            </div>
          </>
        )}
      </DraftRows>
      <DraftLines
        path={['fileDenylist']}
        label={t.hiddenFiles}
        description={t.hiddenFilesHelp}
        rows={3}
        mono
      />
      <DraftLines
        path={['backupIgnore']}
        label={t.backupIgnore}
        description={t.backupIgnoreHelp}
        rows={3}
        mono
      />
    </div>
  </Card>
)

import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { DraftArea, DraftText, DraftWords } from './draft-fields.tsx'
import styles from './editor.module.css'
import { IconField } from './icon-field.tsx'
import { t } from './words.ts'

/** The name, description and icon of a template. */
export const AboutSection = () => (
  <Card title={t.about}>
    <div className={styles.section}>
      <FieldGrid>
        <DraftText path={['name']} label={t.name} keep />
        <DraftText path={['author']} label={t.author} />
      </FieldGrid>
      <DraftArea path={['description']} label={t.description} rows={4} />
      <DraftWords path={['tags']} label={t.tags} description={t.tagsHelp} />
      <IconField />
    </div>
  </Card>
)

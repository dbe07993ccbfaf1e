import { expect, test } from 'vitest'
import { DumpReader } from './dump-reader.ts'

/** The rows of a table in a dump that arrives in chunks of the given length. */
function read(text: string, length = text.length) {
  const reader = new DumpReader('dump.sql', 'wanted')
  const rows = []
  for (let at = 0; at < text.length; at += length)
    for (const { columns, cells } of reader.read(text.slice(at, at + length)))
      rows.push(Object.fromEntries(columns.map((name, place) => [name, cells[place]])))
  reader.end()
  return rows
}

const DUMP = `-- a 'comment; with everything
/*!40101 SET NAMES utf8mb4 */; # another
CREATE TABLE \`wanted\` (\`id\` int COMMENT 'it''s; (a) "text"', KEY \`k\` (\`id\`));
INSERT INTO \`other\` (\`id\`) VALUES ('\\'); INSERT INTO wanted (id) VALUES (9);'),(0x00ff);
INSERT INTO \`wanted\` (\`id\`, \`text\`, \`more\`) VALUES (1,'it''s \\'a\\' \\\\ \\r\\n\\"b\\"; (c),',NULL),
(-2.50,_utf8mb4 'x /* y */ -- z',"'");
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON wanted FOR EACH ROW BEGIN INSERT INTO wanted (id) VALUES (NEW.id); END ;;
DELIMITER ;
insert ignore into wanted (id) values (3);
`

test('reads the rows of one table and skips every other statement, however the text is split into chunks', () => {
  const rows = [
    { id: '1', text: "it's 'a' \\ \r\n\"b\"; (c),", more: null },
    { id: '-2.50', text: 'x /* y */ -- z', more: "'" },
    { id: '3' },
  ]
  for (let length = 1; length <= DUMP.length; length += 1)
    expect(read(DUMP, length), `parts of ${length}`).toEqual(rows)
})

test.each([
  ['INSERT INTO `wanted` VALUES (1);', 'does not name the columns'],
  ['INSERT INTO wanted (id) SELECT id FROM other;', 'in a form that is not known'],
  ['INSERT INTO wanted (id) VALUES (sleep(1));', 'in a form that is not known'],
  ['INSERT INTO wanted (id, b) VALUES (1);', 'in a form that is not known'],
  ['INSERT INTO wanted (id) VALUES (1', 'ends within a statement'],
  [`INSERT INTO wanted (id) VALUES ('${'x'.repeat(1_100_000)}');`, 'is too long'],
])('refuses %#', (text, why) => {
  expect(() => read(text, 65_536)).toThrow(why)
})

test('rows of other tables may have any length', () => {
  const filler = `INSERT INTO other (a) VALUES ('${'x'.repeat(2_000_000)}');\n`
  expect(read(`${filler}INSERT INTO wanted (id) VALUES (1);`, 65_536)).toEqual([{ id: '1' }])
})

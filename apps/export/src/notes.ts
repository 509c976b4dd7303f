import { writeAtomically } from '#kit/writeAtomically'

/** What each note says of its number. */
const sentences: Readonly<Record<string, string>> = {
  unreadable: 'records could not be read, and are left out.',
  unreadableValues: 'values could not be read, and are left empty.',
  nfts: 'transactions moved NFTs or objects, which are not in this format.',
  unlisted: 'gains of tokens that no list names, and that the account did not sign for, are left out.',
  unnamed: 'assets have no known symbol. They are named NULL and a number, the same one in all files.',
  sharedSymbols:
    'assets have the symbol of another asset. They are named NULL and a number: compare the descriptions, and rename them.',
  renumbered:
    'assets have another number than in other files, where theirs may stand for another asset. Compare the descriptions.',
  unexplained: 'transactions did something that has no name. Their rows have no label.',
  unended: 'transfers had not ended when they were written. Export them anew, into another file, to see their ends.',
  lateRefunds: 'transfers came back whose sends are not joined with them. Join these two rows by hand.',
}

/** What readers of a file must know, a line each. */
export const toNotes = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).map(([name, count]) => `${count} ${sentences[name] ?? name}`)

/** Writes the notes beside the file, where no importer reads them. */
export async function writeNotes(out: string, notes: readonly string[]): Promise<void> {
  if (notes.length > 0) await writeAtomically(`${out}.notes.txt`, notes.map((note) => `${note}\n`).join(''))
}

import { writeAtomically } from '#kit/writeAtomically'

/** What each note says of its number: of one, and of several. */
const sentences: Readonly<Record<string, readonly [one: string, several: string]>> = {
  unreadable: ['record could not be read, and is left out.', 'records could not be read, and are left out.'],
  unreadableValues: ['value could not be read, and is left empty.', 'values could not be read, and are left empty.'],
  nfts: [
    'transaction moved NFTs or objects, which are not in this format.',
    'transactions moved NFTs or objects, which are not in this format.',
  ],
  unlisted: [
    'gain of a token that no list names, and that the account did not sign for, is left out.',
    'gains of tokens that no list names, and that the account did not sign for, are left out.',
  ],
  unnamed: [
    'asset has no known symbol. It is named NULL and a number, the same one in all files.',
    'assets have no known symbol. They are named NULL and a number, the same one in all files.',
  ],
  sharedSymbols: [
    'asset has the symbol of another asset. It is named NULL and a number: compare the descriptions, and rename it.',
    'assets have the symbol of another asset. They are named NULL and a number: compare the descriptions, and rename them.',
  ],
  renumbered: [
    'asset has another number than in other files, where its own may stand for another asset. Compare the descriptions.',
    'assets have another number than in other files, where theirs may stand for another asset. Compare the descriptions.',
  ],
  unexplained: [
    'transaction did something that has no name. Its rows have no label.',
    'transactions did something that has no name. Their rows have no label.',
  ],
  unended: [
    'transfer had not ended when it was written. Export it anew, into another file, to see its end.',
    'transfers had not ended when they were written. Export them anew, into another file, to see their ends.',
  ],
  lateRefunds: [
    'transfer came back whose send is not joined with it. Join these two rows by hand.',
    'transfers came back whose sends are not joined with them. Join these two rows by hand.',
  ],
}

/** What readers of a file must know, a line each. */
export const toNotes = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).map(([name, count]) => `${count} ${sentences[name]?.[count === 1 ? 0 : 1] ?? name}`)

/** Writes the notes beside the file, where no importer reads them. */
export async function writeNotes(out: string, notes: readonly string[]): Promise<void> {
  if (notes.length > 0) await writeAtomically(`${out}.notes.txt`, notes.map((note) => `${note}\n`).join(''))
}

// Where the files of the repository and their headings are in the site.
import { basename } from 'node:path'

/** Pages whose home is not `docs`, by their place in the site. */
export const elsewhere = {
  'CHANGELOG.md': 'changelog.md',
  'packages/client/README.md': 'client.md',
  ...Object.fromEntries(
    ['packages/mcp', 'packages/sandbox', 'packages/words', 'apps/export', 'apps/hooks'].map((folder) => [
      `${folder}/README.md`,
      `packages/${basename(folder)}.md`,
    ]),
  ),
}

/** The anchor of a heading, as GitHub makes it: a link leads to the same place there and in the site. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

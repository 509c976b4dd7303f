// Where the files of the repository and their headings are in the site.

/** Pages whose home is not `docs`, by their place in the site. */
export const elsewhere = {
  'CHANGELOG.md': 'changelog.md',
  'packages/client/README.md': 'client.md',
  ...Object.fromEntries(
    ['export', 'hooks', 'mcp', 'sandbox', 'words'].map((name) => [`packages/${name}/README.md`, `packages/${name}.md`]),
  ),
}

/** The anchor of a heading, as GitHub makes it: a link leads to the same place there and in the site. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

// Says whether a recorded output is that of one command and nothing else, so that its size may be taken for the size of that command's output.
// Reads no shell: a text with any sign that could join, feed or hide a second command is not alone, and then the size is unknown.

/**
 * @param {string} command
 * @returns {boolean}
 */
export function standsAlone(command) {
  const bare = command
    .replace(/\\\n/g, ' ')
    .replace(/'[^']*'/g, '_')
    .replace(/\\./g, '_')
    .replace(/"[^"`$]*"/g, '_')
    .trim()
    // A change of folder prints nothing, and what goes to the error output is not measured.
    .replace(/^cd\s+[\w./~-]+\s*(?:&&|;)\s*/, '')
    .replace(/\s2>\s?(?:\/dev\/null|&1)(?=\s|$)/g, ' ');
  return !/[;&|<>\n`()$'"#]/.test(bare);
}

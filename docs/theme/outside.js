// Links of the pages to files of the repository outside the book: the glossary is a page here, too; the others stay
// names, which a reader finds in the repository.
for (const link of document.querySelectorAll("main a[href^='../']")) {
  const href = link.getAttribute("href");
  if (href.startsWith("../GLOSSARY.")) {
    link.setAttribute("href", href.replace(/^\.\.\/GLOSSARY\.\w+/, "glossary.html"));
  } else {
    const name = document.createElement("span");
    name.title = "in the repository: " + href.slice(3).replace(/\.html\b/, ".md");
    name.append(...link.childNodes);
    link.replaceWith(name);
  }
}

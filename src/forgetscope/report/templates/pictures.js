// ---- small pictures: each stands once in the page, by its name ----
function picturesOf(element) {
  const store = document.getElementById(`${element.closest("article")?.id}--pictures`);
  if (store === null) return {};
  store.read ??= JSON.parse(store.textContent);
  return store.read;
}

// The picture of this name, or a frame that says it is left out.
function pictureOf(pictures, name, words) {
  const uri = Object.hasOwn(pictures, name) ? pictures[name] : null;
  if (uri === null || !uri.startsWith("data:image/")) return make("span", { class: "no-picture", text: "left out of this page" });
  return make("img", { src: uri, alt: String(words) });
}

function fillPictures(article) {
  const pictures = picturesOf(article);
  article.querySelectorAll("[data-picture]").forEach((frame) => frame.replaceChildren(pictureOf(pictures, frame.dataset.picture, frame.dataset.words)));
}

document.querySelectorAll("article").forEach(fillPictures);

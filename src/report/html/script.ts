/**
 * The script of a report: filter and search, all folds at once, copying a line, opening what a link leads to, and
 * opening everything for print. The report is whole without it. Its hash stands in the policy of the page.
 */
export const SCRIPT = `(function () {
  'use strict';
  var form = document.getElementById('filter');
  var told = document.getElementById('filter-told');
  var word = form.elements.word, severity = form.elements.severity, party = form.elements.party, waived = form.elements.waived;
  var all = function (selector, root) { return Array.prototype.slice.call((root || document).querySelectorAll(selector)); };

  var texts = new Map();
  function textOf(element) {
    var text = texts.get(element);
    if (text === undefined) {
      text = element.textContent.toLowerCase();
      if (element.id) text += ' ' + element.id.toLowerCase();
      if (element.tagName === 'DETAILS') {
        var group = element.closest('[data-g]');
        if (group) text += ' ' + all(':scope > :not(.occurrences)', group).map(function (one) { return one.textContent.toLowerCase(); }).join(' ');
      }
      texts.set(element, text);
    }
    return text;
  }

  var items = null;
  function marksFit(marks, plain) {
    if (plain) return true;
    return marks.split(' ').some(function (mark) {
      var part = mark.split('.');
      if (part.length < 2) return false;
      if (severity.value && part[0] !== severity.value) return false;
      if (party.value && part[1] !== party.value) return false;
      return !(waived.checked && part[2] === 'w');
    });
  }

  function apply() {
    items = items || all('[data-f]');
    var words = word.value.toLowerCase().split(' ').filter(Boolean);
    var plain = !severity.value && !party.value && !waived.checked;
    var idle = plain && words.length === 0;
    var shown = 0;
    var sections = new Map();
    items.forEach(function (item) {
      var fits = idle || (marksFit(item.dataset.f, plain) && (words.length === 0 || words.every(function (one) { return textOf(item).indexOf(one) >= 0; })));
      if (item.hidden === fits) item.hidden = !fits;
      if (fits) shown += 1;
      var section = item.closest('main > section');
      var count = sections.get(section) || [0, 0];
      count[0] += fits ? 1 : 0;
      count[1] += 1;
      sections.set(section, count);
    });
    all('[data-g]').forEach(function (group) {
      group.hidden = !all('[data-f]', group).some(function (item) { return !item.hidden; });
      var row = document.querySelector('[data-of="' + group.id + '"]');
      if (row) row.hidden = group.hidden;
    });
    all('.page').forEach(function (page) {
      page.hidden = !idle && !page.querySelector('tbody tr:not([hidden])');
    });
    sections.forEach(function (count, section) {
      section.dataset.told = idle ? '' : count[0] + ' of ' + count[1] + ' shown';
      section.classList.toggle('filtered', !idle);
    });
    told.textContent = idle ? '' : shown + ' of ' + items.length + ' entries fit the filter.';
  }

  var waiting = 0;
  form.hidden = false;
  form.addEventListener('input', function () { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
  form.addEventListener('submit', function (event) { event.preventDefault(); apply(); });
  form.addEventListener('reset', function () { setTimeout(apply, 0); });

  function reveal() {
    var target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (var one = target; one; one = one.parentElement) {
      if (one.tagName === 'DETAILS') one.open = true;
      if (one.hidden) { form.reset(); }
    }
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();

  all('[data-fold]').forEach(function (button) {
    button.hidden = false;
    button.addEventListener('click', function () {
      all('#findings details').forEach(function (one) { one.open = button.dataset.fold === 'open'; });
    });
  });

  all('[data-copy]').forEach(function (button) {
    button.hidden = !navigator.clipboard;
    button.addEventListener('click', function () {
      navigator.clipboard.writeText(button.closest('figure').querySelector('pre').textContent).then(
        function () { button.textContent = 'Copied'; },
        function () { button.textContent = 'Not allowed here'; }
      );
    });
  });

  var folded = [];
  addEventListener('beforeprint', function () {
    folded = all('details:not([open])');
    folded.forEach(function (one) { one.open = true; });
  });
  addEventListener('afterprint', function () {
    folded.forEach(function (one) { one.open = false; });
    folded = [];
  });
})();`;

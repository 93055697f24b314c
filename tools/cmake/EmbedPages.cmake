# cmake -DPAGES=PATTERN -DOUTPUT=FILE -P EmbedPages.cmake: writes the pages that a
# pattern such as docs/reference/errors/K*.md matches as rows
# {"NAME", R"page(TEXT)page"}, in order of their names.
file(GLOB pages ${PAGES})
list(SORT pages)
set(rows "")
foreach(page IN LISTS pages)
  get_filename_component(name "${page}" NAME_WE)
  file(READ "${page}" text)
  string(APPEND rows "{\"${name}\", R\"page(${text})page\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${rows}")
